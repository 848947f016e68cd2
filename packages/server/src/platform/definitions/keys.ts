import { ENVIRONMENTS } from '@overworld/contract/common';
import type { Environment } from '@overworld/contract/common';
import { t } from '@overworld/contract/schema';
import { badRequest } from '../errors.ts';
import { compileBody } from '../http/validation.ts';

/*
 * Keys of things that an environment has, and that are known by their names: `production/Players stay away`.
 */

interface Named {
  environment: Environment;
  name: string;
}

const MAX_NAME_LENGTH = 255;

/** Checks the name in a key as routes check new names. @throws ApiError 400. */
export const checkName = compileBody(
  t.NewName('Name of the thing.', MAX_NAME_LENGTH),
  'The name in key',
);

/** @throws ApiError 400 when the key does not begin with an environment, or its name cannot be one. */
export function readKey(key: string): Named {
  const environment = ENVIRONMENTS.find((it) => key.startsWith(`${it}/`));
  if (environment === undefined) {
    throw badRequest(`key must begin with ${ENVIRONMENTS.join('/ or ')}/`);
  }
  const name = key.slice(environment.length + 1);
  checkName(name);
  return { environment, name };
}

/**
 * Gives each of the game's things of a kind its key. Several may have one name: the first has it in its key, and
 * the others have it with a number, such as `production/Players stay away (2)`.
 * @param things The oldest first, so that a key stays when others follow.
 * @returns the things by their keys, in the order of the keys.
 */
export function keyThings<Thing extends Named>(things: readonly Thing[]): Map<string, Thing> {
  const keyed = new Map<string, Thing>();
  const namesakes: Thing[] = [];
  for (const thing of things) {
    const key = `${thing.environment}/${thing.name}`;
    if (keyed.has(key)) namesakes.push(thing);
    else keyed.set(key, thing);
  }
  for (const thing of namesakes) {
    let number = 2;
    while (keyed.has(keyWith(number, thing))) number++;
    keyed.set(keyWith(number, thing), thing);
  }
  return new Map([...keyed].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function keyWith(number: number, { environment, name }: Named): string {
  const ending = ` (${number})`;
  const fitting = name.slice(0, MAX_NAME_LENGTH - ending.length);
  // Half of a character is left out.
  return `${environment}/${fitting.replace(/[\uD800-\uDBFF]$/, '')}${ending}`;
}

/** Lists the things whose names are not those of their keys, because others have the same name. */
export const listNamesakes = <Thing extends Named>(
  keyed: ReadonlyMap<string, Thing>,
): { thing: Thing; name: string }[] =>
  [...keyed].flatMap(([key, thing]) => {
    const { name } = readKey(key);
    return name === thing.name ? [] : [{ thing, name }];
  });
