import { localStore } from '../local-store.ts';

/**
 * An id that no other open tab has, under which this tab counts its additions. The number is the lowest
 * free one on this device. So ids of closed tabs are used again, and a save does not grow with each
 * visit.
 */
export async function claimTabId(): Promise<string> {
  // Locks exist only on https and on this machine itself.
  if (!('locks' in navigator)) return randomId();
  const stored = localStore.read('device');
  const device = typeof stored === 'string' ? stored : randomId();
  if (device !== stored) localStore.write('device', device);
  for (let number = 1; ; number++) {
    if (await holdLock(`moonward:${device}:${number}`)) return `${device}-${number}`;
  }
}

/** Takes a lock until the tab is gone. Returns whether it was free. */
const holdLock = (name: string) =>
  new Promise<boolean>((resolve) => {
    void navigator.locks.request(name, { ifAvailable: true }, (lock) => {
      resolve(lock !== null);
      return lock === null ? undefined : new Promise(() => {});
    });
  });

const randomId = () =>
  crypto.getRandomValues(new Uint32Array(2)).reduce((id, part) => id + part.toString(36), '');
