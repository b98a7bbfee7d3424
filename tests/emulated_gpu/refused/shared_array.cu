__global__ void f(int* to)
{
    __shared__ int row[32][33];
    to[0] = row[0][0];
}
