#!/bin/sh
# Builds the book as a site: scripts/book.sh FOLDER. The pages lie where they are read in the repository, too, so that links between them, and to
# results outside of docs/, are the same in both.
set -eu
MDBOOK_VERSION=0.5.4
cd "$(dirname "$0")/.."
site=$1
mdbook --version 2>/dev/null | grep -qF "$MDBOOK_VERSION" ||
    cargo install --quiet --locked --version "$MDBOOK_VERSION" --no-default-features --features search mdbook
sources=$site.pages
rm -rf "$site" "$sources"
mkdir -p "$sources"
cp -r docs "$sources/docs"
sed -n 's/.*](\.\.\/\([^)]*\)).*/\1/p' docs/SUMMARY.md | while read -r outside; do
    mkdir -p "$sources/$(dirname "$outside")"
    cp "$outside" "$sources/$outside"
    # And the programs that it says it was made by.
    find "$(dirname "$outside")" -maxdepth 1 -name '*.py' -exec cp '{}' "$sources/$(dirname "$outside")" ';'
done
# mdBook finds its pages from the folder of the table of contents: here the one above docs/.
sed -e 's/](/](docs\//' -e 's/](docs\/\.\.\//](/' docs/SUMMARY.md > "$sources/SUMMARY.md"
rm "$sources/docs/SUMMARY.md"
cat > "$sources/book.toml" <<'END'
[book]
title = "evenhand"
language = "en"
src = "."

# A README.md stays one, so that links to it do.
[build]
use-default-preprocessors = false

[output.html]
default-theme = "light"
preferred-dark-theme = "navy"
smart-punctuation = false
no-section-label = true
additional-css = ["book.css"]
END
# A verdict is a long line.
cat > "$sources/book.css" <<'END'
:root { --content-max-width: 950px; }
code.language-console { white-space: pre-wrap; }
END
mdbook build "$sources" --dest-dir "$(realpath -m "$site")"
# A reader of the site begins at its front page.
echo '<meta charset="utf-8"><meta http-equiv="refresh" content="0; url=docs/README.html"><title>evenhand</title>' > "$site/index.html"
echo "$site/index.html"
