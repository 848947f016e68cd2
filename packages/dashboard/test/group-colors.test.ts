import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GROUP_COLORS, SURFACES } from '../src/theme/group-colors.ts';

type Triple = [number, number, number];

/** A colour in linear light, from 0 to 1. */
const toLinear = (color: string): Triple =>
  [1, 3, 5].map((at) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as Triple;

const luminance = (color: string) => {
  const [red, green, blue] = toLinear(color);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

function contrast(a: string, b: string): number {
  const [dark, light] = [luminance(a), luminance(b)].toSorted((x, y) => x - y) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** How colours look to readers without and with colour blindness (Machado, Oliveira and Fernandes, 2009). */
const SIGHTS: Record<string, Triple[]> = {
  usual: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const times = (rows: Triple[], [a, b, c]: Triple) =>
  rows.map((row) => Math.min(1, Math.max(0, row[0] * a + row[1] * b + row[2] * c))) as Triple;

/** The coordinates of a colour in OKLab, in which distances are as large as they look. */
function toLab(color: Triple): Triple {
  const [long, middle, short] = [
    [0.4122214708, 0.5363325363, 0.0514459929],
    [0.2119034982, 0.6806995451, 0.1073969566],
    [0.0883024619, 0.2817188376, 0.6299787005],
  ].map((row) => Math.cbrt(row[0]! * color[0] + row[1]! * color[1] + row[2]! * color[2])) as Triple;
  return [
    0.2104542553 * long + 0.793617785 * middle - 0.0040720468 * short,
    1.9779984951 * long - 2.428592205 * middle + 0.4505937099 * short,
    0.0259040371 * long + 0.7827717662 * middle - 0.808675766 * short,
  ];
}

for (const [theme, colors, surface] of [
  ['light', GROUP_COLORS.light, SURFACES.light],
  ['dark', GROUP_COLORS.dark, SURFACES.dark],
] as const) {
  test(`the colours of groups stand out from the ground of the ${theme} theme`, () => {
    for (const color of colors) assert.ok(contrast(color, surface) >= 3, color);
  });

  for (const [sight, matrix] of Object.entries(SIGHTS)) {
    test(`any two colours of groups differ in the ${theme} theme with ${sight} sight`, () => {
      const seen = colors.map((color) => toLab(times(matrix, toLinear(color))));
      for (const [index, one] of seen.entries()) {
        for (const [other, two] of seen.slice(0, index).entries()) {
          const apart = Math.hypot(...one.map((value, axis) => value - two[axis]!));
          assert.ok(apart >= 0.1, `${colors[index]} and ${colors[other]}: ${apart.toFixed(3)}`);
        }
      }
    });
  }
}
