/** The share of a queue that an owner may have at once, with all its parts. */
export interface Share {
  max_running: number;
  max_waiting: number;
}

/** Work that waits for its turn. */
export interface Waiter {
  start(): void;
  refuse(): void;
}

/** Everybody, a network, or an account in a network. It is known while it has work that runs or waits. */
export interface Owner {
  readonly parent: Owner | null;
  readonly name: string;
  readonly share: Share;
  /** The parts in the order of their turns. */
  readonly parts: Map<string, Owner>;
  /** Only an owner without parts has waiters; the first one has waited longest. */
  readonly waiters: Set<Waiter>;
  running: number;
  waiting: number;
}

/** An owner without work. The caller adds it to the parts of its parent. */
export const makeOwner = (parent: Owner | null, name: string, share: Share): Owner => ({
  parent,
  name,
  share,
  parts: new Map(),
  waiters: new Set(),
  running: 0,
  waiting: 0,
});

/** The owner and all owners that it is a part of, the narrowest first. */
export function pathOf(owner: Owner): Owner[] {
  const path: Owner[] = [];
  for (let part: Owner | null = owner; part !== null; part = part.parent) path.push(part);
  return path;
}

/** True if the share of the owner has room for more running work; its parents may have none. */
export const mayRun = ({ running, share }: Owner) => running < share.max_running;

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

/** Removes the owner, and the owners that it is a part of, where they have no work left. */
export function forgetIdle(owner: Owner): void {
  for (const part of pathOf(owner)) {
    if (part.running === 0 && part.waiting === 0) part.parent?.parts.delete(part.name);
  }
}

/** Finds the next owner without parts that may run work, and puts it last; null when there is none. */
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
 * The owner without parts with the most waiting work. The newcomer's work counts as waiting already, and
 * among equals the newcomer is the largest.
 */
export function findLargest(owner: Owner, newcomer: ReadonlySet<Owner>): Owner {
  let largest: Owner | undefined;
  let most = -1;
  for (const part of owner.parts.values()) {
    // The newcomer's work counts as one and a half: the half puts it before its equals.
    const waiting = part.waiting + (newcomer.has(part) ? 1.5 : 0);
    if (waiting <= most) continue;
    largest = part;
    most = waiting;
  }
  return largest === undefined ? owner : findLargest(largest, newcomer);
}
