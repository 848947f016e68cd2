/**
 * Folds a text for comparisons without regard to capital letters: each capital letter becomes its small
 * letter, one for one, and the final sigma the usual one. `İ` and `I` become `i`, and `ı` stays. The result
 * never depends on a locale. The SQL function `fold_text` (migration 0064) does the same.
 */
export const foldText = (text: string): string =>
  text.replaceAll('İ', 'i').toLowerCase().replaceAll('ς', 'σ');
