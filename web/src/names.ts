// How is a name shown that anyone may have chosen? As text, with what could hide or reorder other text made visible: control
// characters, characters that turn the direction of writing, invisible ones, and halves of characters.

const HIDDEN = new RegExp(
  "[\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u180e\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb]" +
    "|[\\ud800-\\udbff](?![\\udc00-\\udfff])|(?<![\\ud800-\\udbff])[\\udc00-\\udfff]|\\udb40[\\udc00-\\udc7f]",
  "g",
);

export function visible(text: string): string {
  return text.replace(HIDDEN, (hidden) => `\\u{${(hidden.codePointAt(0) ?? 0).toString(16)}}`);
}

/** Paths without whose home folder they are in. */
export function withoutHome(text: string): string {
  return text.replace(/(?<![\w./\\])(?:\/(?:home|Users)\/[^/\s]+|\/root|[A-Z]:\\Users\\[^\\\s]+)(?=[/\\])/g, "~");
}

/** Beginning and end around `…`: names of benchmarks often begin alike. */
export function shortened(text: string, most: number): string {
  const characters = [...text];
  if (characters.length <= most) return text;
  const front = Math.ceil((most - 1) / 2);
  return `${characters.slice(0, front).join("")}…${characters.slice(characters.length - (most - 1 - front)).join("")}`;
}
