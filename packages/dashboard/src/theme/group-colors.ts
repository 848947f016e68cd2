/**
 * The colours of groups in charts, in the order in which groups take them. They begin at the hues of the
 * palette of Okabe and Ito, and were moved until each has a contrast of 3:1 against the ground of its theme,
 * and any two of them stay apart for readers with each of the three kinds of colour blindness.
 */
export const GROUP_COLORS = {
  light: ['#264abc', '#ad360b', '#288c73', '#803d6a', '#9f9614', '#1798fc', '#550b7e', '#6c1502'],
  dark: ['#1867a8', '#bb4f12', '#2fa0a8', '#feb798', '#ef820b', '#62c9fd', '#e6f71b', '#ab6aff'],
} as const;

/** The ground of cards, on which charts are drawn. */
export const SURFACES = { light: '#fffefb', dark: '#11191c' } as const;

/** The number of groups that get a colour of their own. */
export const MAX_COLORED_GROUPS = GROUP_COLORS.light.length;

/** The CSS variables of the colours: `--group-1` and so on. */
export const groupVariables = (colors: readonly string[]): Record<string, string> =>
  Object.fromEntries(colors.map((color, index) => [`--group-${index + 1}`, color]));
