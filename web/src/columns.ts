// How do the long lists of numbers come out of the page? As little-endian bytes in base64, decoded once, then seen as typed arrays.

import type { Column } from "./data";

export type Numbers = Float64Array | Float32Array | Uint32Array;

const WIDTH = { f64: 8, f32: 4, u32: 4 } as const;

/** The bytes of base64 text; blanks and line ends between are allowed. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const compact = base64.replace(/\s+/g, "");
  const native = (Uint8Array as unknown as { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> }).fromBase64;
  if (native !== undefined) return native.call(Uint8Array, compact);
  const binary = atob(compact);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index += 1) bytes[index] = binary.charCodeAt(index);
  return bytes;
}

/** A column's numbers. One that points outside the bytes is an error that says so, not a list of wrong numbers. */
export function numbersOf(bytes: Uint8Array<ArrayBuffer>, column: Column): Numbers {
  if (column.kind === "counting") return counting(column.length);
  const width = WIDTH[column.kind];
  const end = column.offset + column.length * width;
  if (end > bytes.length) throw new Error(`a column ends at byte ${end}, but there are only ${bytes.length}`);
  // Typed arrays must begin at a multiple of their width; and a big-endian machine would read the bytes in the wrong order.
  const aligned = (bytes.byteOffset + column.offset) % width === 0 && LITTLE_ENDIAN;
  const at = bytes.byteOffset + column.offset;
  const ends = bytes.byteOffset + end;
  const whole = aligned ? bytes.buffer : swapped(bytes.buffer.slice(at, ends), width);
  const start = aligned ? at : 0;
  switch (column.kind) {
    case "f64": return new Float64Array(whole, start, column.length);
    case "f32": return new Float32Array(whole, start, column.length);
    case "u32": return new Uint32Array(whole, start, column.length);
  }
}

/** 0, 1, 2 … */
export function counting(length: number): Uint32Array {
  const numbers = new Uint32Array(length);
  for (let index = 0; index < length; index += 1) numbers[index] = index;
  return numbers;
}

const LITTLE_ENDIAN = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

function swapped(buffer: ArrayBuffer, width: number): ArrayBuffer {
  if (LITTLE_ENDIAN) return buffer;
  const bytes = new Uint8Array(buffer);
  for (let at = 0; at < bytes.length; at += width) bytes.subarray(at, at + width).reverse();
  return buffer;
}
