#pragma once

#include "host/results/panel_source.hh"

namespace crx {

/// One statement of a figure's small print. `about` is a word that a reader of the document can
/// choose by (docs/protocol.md): facts, intervals, model, memory, measures, denominators,
/// incomplete, unfinished, left-out, rings, crosses, guides, empty, waiting.
struct CaptionPart
{
    std::string about, text; ///< whole sentences, in the text of documents
};
using CaptionParts = std::vector<CaptionPart>;

/// Which marks some point of the panels has.
struct Marks
{
    bool partial = false; ///< it lacks runs that never end
    bool few = false;     ///< its interval rests on few different values
};

/// What the small print says of these panels of a store: how large, how many, which seed, what is
/// measured over what, and what is missing. Nothing where there is no panel.
CaptionParts caption_parts(StoreContents const& store, std::vector<PanelSource> const& panels,
                           Marks const& marks);

/// All of it as one paragraph.
std::string joined(CaptionParts const& parts);

} // namespace crx
