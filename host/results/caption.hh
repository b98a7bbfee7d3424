#pragma once

#include "host/results/panel_source.hh"

namespace crx {

/// One statement of a figure's small print. `about` is a word that a reader of the document can
/// choose by (docs/protocol.md): facts, intervals, model, memory, measures, denominators,
/// incomplete, unfinished, left-out, rings, guides, empty, waiting.
struct CaptionPart
{
    std::string about, text; ///< whole sentences, in the text of documents
};
using CaptionParts = std::vector<CaptionPart>;

/// What the small print says of these panels of a store: how large, how many, which seed, what is
/// measured over what, and what is missing. `any_partial`: some point lacks runs that never end.
/// Nothing where there is no panel.
CaptionParts caption_parts(StoreContents const& store, std::vector<PanelSource> const& panels,
                           bool any_partial);

/// All of it as one paragraph.
std::string joined(CaptionParts const& parts);

} // namespace crx
