/** What this device keeps between visits. A browser that keeps nothing is played in all the same. */
export const localStore = {
  read(key: string): unknown {
    try {
      return JSON.parse(localStorage.getItem(`moonward:${key}`) ?? 'null');
    } catch {
      return null;
    }
  },
  write(key: string, value: unknown): void {
    try {
      localStorage.setItem(`moonward:${key}`, JSON.stringify(value));
    } catch {
      // Full, or not allowed.
    }
  },
  /** Calls back when another tab has written. */
  onOtherTab(key: string, changed: () => void): void {
    addEventListener('storage', (event) => {
      if (event.key === `moonward:${key}`) changed();
    });
  },
};
