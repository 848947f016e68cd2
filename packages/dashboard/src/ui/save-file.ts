/** Downloads a file to the reader's device. */
export function saveFile(name: string, content: Blob | string, type = 'text/plain'): void {
  const blob = typeof content === 'string' ? new Blob([content], { type }) : content;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Downloads a CSV file. Its byte order mark makes Excel read it as UTF-8. */
export function saveCsv(name: string, content: Blob | string): void {
  // The name may contain the name of a game, which may be any
  // text. Operating systems refuse these characters in file names.
  const tame = name.replaceAll(/[\\/:*?"<>|\p{C}\s]+/gu, '-');
  saveFile(`${tame}.csv`, new Blob(['\uFEFF', content], { type: 'text/csv' }));
}
