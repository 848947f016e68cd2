/** Gives the reader a file to keep. */
export function saveFile(name: string, content: Blob | string, type = 'text/plain'): void {
  const blob = typeof content === 'string' ? new Blob([content], { type }) : content;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** As `saveFile`, for CSV: by the byte order mark Excel reads it as UTF-8. */
export function saveCsv(name: string, content: Blob | string): void {
  // What a system does not take in the name of a file; a game's name is any text.
  const tame = name.replaceAll(/[\\/:*?"<>|\p{C}\s]+/gu, '-');
  saveFile(`${tame}.csv`, new Blob(['\uFEFF', content], { type: 'text/csv' }));
}
