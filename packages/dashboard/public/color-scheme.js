// Runs before the first paint, so that a page does not flash in the other theme.
(() => {
  let choice = 'auto';
  try {
    choice = localStorage.getItem('overworld.color-scheme') ?? 'auto';
  } catch {
    // The browser refuses access to its storage, so the theme of the system is shown.
  }
  const dark =
    choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  const { dataset } = document.documentElement;
  dataset.mantineColorScheme = dark ? 'dark' : 'light';

  // Paper is light, so pages are printed in the light theme.
  let shown;
  addEventListener('beforeprint', () => {
    shown = dataset.mantineColorScheme;
    dataset.mantineColorScheme = 'light';
  });
  addEventListener('afterprint', () => {
    dataset.mantineColorScheme = shown;
  });
})();
