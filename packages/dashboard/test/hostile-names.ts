/** Names that are valid for players and games, but that break careless pages. */
export const HOSTILE_NAMES = [
  '<script>document.title = "owned"</script>',
  '<img src=x onerror="document.title = \'owned\'">',
  '𝕬'.repeat(127),
  'W'.repeat(255),
  'مرحبا بالعالم \u202Egnp.exe',
  '🏴‍☠️🧜‍♀️👩‍👩‍👧‍👦',
  '../../etc/passwd?x=1#y%20',
  '__proto__',
  "'; DROP TABLE players; --",
];
