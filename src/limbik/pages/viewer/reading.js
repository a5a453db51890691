// The page's numbers: compressed, and written by packing.py.

/** @param {string} text @returns {Promise<[Content, Numbers]>} */
async function read(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const whole = new Uint8Array(await new Response(stream).arrayBuffer());
  const length = new DataView(whole.buffer).getUint32(0, true);
  const content = JSON.parse(new TextDecoder().decode(whole.subarray(4, 4 + length)));
  return [content, new Numbers(whole.subarray(4 + length))];
}

class Numbers {
  /** @param {Uint8Array<ArrayBuffer>} bytes */
  constructor(bytes) {
    this.bytes = bytes;
  }

  // An array, row after row. Columns are stored one after the other, each as differences of an order from row to row
  // (even numbers for those that are not negative, odd ones for the others), all lowest bytes before the next ones.
  /** @param {PackedArray} place @returns {Values} */
  array(place) {
    const { at, rows, columns, planes, order, step } = place;
    const count = rows * columns;
    const found = step === undefined ? new Int32Array(count) : new Float32Array(count);
    for (let column = 0; column < columns; column++) {
      let value = 0;
      let slope = 0;
      for (let row = 0; row < rows; row++) {
        const cell = at + column * rows + row;
        let code = 0;
        for (let plane = 0; plane < planes; plane++) code |= this.bytes[cell + plane * count] << (8 * plane);
        const difference = (code >>> 1) ^ -(code & 1);
        if (order === 0) value = difference;
        else if (order === 1) value = (value + difference) | 0;
        else value = (value + (slope = (slope + difference) | 0)) | 0;
        found[row * columns + column] = step === undefined ? value : value * step;
      }
    }
    return found;
  }

  /** @param {PackedFile} file */
  async image(file) {
    const { at, length, type } = file;
    const blob = new Blob([this.bytes.subarray(at, at + length)], { type });
    return createImageBitmap(blob, { premultiplyAlpha: "none", colorSpaceConversion: "none" });
  }
}
