/** Makes a key from a name, such as `first_blood` from `First Blood`. */
export const keyFrom = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .replaceAll(/^_+|_+$/g, '');
