import { localStore } from '../local-store.ts';

/**
 * Returns an id that no other open tab has. The id is the key under which a save stores the amounts that the
 * tab adds. The id ends with the lowest number that is free on this device. Ids of closed tabs are therefore
 * used again, so a save does not grow with each visit.
 */
export async function claimTabId(): Promise<string> {
  // Browsers offer locks only on https and on localhost. On other pages the id is random.
  if (!('locks' in navigator)) return randomId();
  const stored = localStore.read('device');
  const device = typeof stored === 'string' ? stored : randomId();
  if (device !== stored) localStore.write('device', device);
  for (let number = 1; ; number++) {
    if (await holdLock(`moonward:${device}:${number}`)) return `${device}-${number}`;
  }
}

/** Takes a lock if it is free, and holds it until the tab is closed. @returns whether the lock was free. */
const holdLock = (name: string) =>
  new Promise<boolean>((resolve) => {
    void navigator.locks.request(name, { ifAvailable: true }, (lock) => {
      resolve(lock !== null);
      return lock === null ? undefined : new Promise(() => {});
    });
  });

const randomId = () =>
  crypto.getRandomValues(new Uint32Array(2)).reduce((id, part) => id + part.toString(36), '');
