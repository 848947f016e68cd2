// Runs before the first paint, so that a page does not flash in the other theme.
(() => {
  let choice = 'auto';
  try {
    choice = localStorage.getItem('overworld.color-scheme') ?? 'auto';
  } catch {
    // Storage is refused: the system's choice counts.
  }
  const dark =
    choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();
