/** The most work of one owner, with all its parts, that a queue runs and lets wait at the same time. */
export interface OwnerLimit {
  max_running: number;
  max_waiting: number;
}

/** Work that waits for its turn. */
export interface Waiter {
  start(): void;
  refuse(): void;
}

/**
 * An owner of work in a queue: all callers together, a network, or
 * an account in a network. An owner exists only while it has work.
 */
export interface Owner {
  readonly parent: Owner | null;
  readonly name: string;
  readonly limit: OwnerLimit;
  /** The parts in the order of their turns. */
  readonly parts: Map<string, Owner>;
  /** Only an owner without parts has waiters; the first one has waited longest. */
  readonly waiters: Set<Waiter>;
  running: number;
  waiting: number;
}

/** Makes an owner without work. The caller must add the owner to the parts of its parent. */
export const makeOwner = (parent: Owner | null, name: string, limit: OwnerLimit): Owner => ({
  parent,
  name,
  limit,
  parts: new Map(),
  waiters: new Set(),
  running: 0,
  waiting: 0,
});

/** Lists the owner and all owners that it is a part of, the narrowest first. */
export function pathOf(owner: Owner): Owner[] {
  const path: Owner[] = [];
  for (let part: Owner | null = owner; part !== null; part = part.parent) path.push(part);
  return path;
}

/**
 * Tells whether the owner's own limit has room for more running work. Does not look at the limits of its
 * parents.
 */
export const mayRun = ({ running, limit }: Owner) => running < limit.max_running;

/** Counts work for the owner and all owners that it is a part of. */
export function count(owner: Owner, counter: 'running' | 'waiting', change: 1 | -1): void {
  for (const part of pathOf(owner)) part[counter] += change;
}

/** Puts the owner last among the parts of its parent. */
export function moveToEnd(owner: Owner): void {
  if (owner.parent === null) return;
  owner.parent.parts.delete(owner.name);
  owner.parent.parts.set(owner.name, owner);
}

/** Removes the owner, and the owners that it is a part of, if they have no work left. */
export function forgetIdle(owner: Owner): void {
  for (const part of pathOf(owner)) {
    if (part.running === 0 && part.waiting === 0) part.parent?.parts.delete(part.name);
  }
}

/** Finds the next owner that has no parts and may run work, and moves it to the end; null if none exists. */
export function takeTurn(owner: Owner): Owner | null {
  if (owner.waiting === 0 || !mayRun(owner)) return null;
  if (owner.waiters.size > 0) return owner;
  for (const part of owner.parts.values()) {
    const next = takeTurn(part);
    if (next === null) continue;
    moveToEnd(part);
    return next;
  }
  return null;
}

/**
 * Starts at `owner` and repeatedly goes to the part with the most waiting work, until an owner has no parts.
 * @param newcomer The owners of new work, which counts as waiting. Among equal parts, a newcomer is chosen.
 */
export function findLargest(owner: Owner, newcomer: ReadonlySet<Owner>): Owner {
  let largest: Owner | undefined;
  let most = -1;
  for (const part of owner.parts.values()) {
    // New work counts as one and a half. The half puts the newcomer before parts with the same count.
    const waiting = part.waiting + (newcomer.has(part) ? 1.5 : 0);
    if (waiting <= most) continue;
    largest = part;
    most = waiting;
  }
  return largest === undefined ? owner : findLargest(largest, newcomer);
}
