void f(int n) { auto const x = (kernel<<<1, 32>>>(n), n); }
