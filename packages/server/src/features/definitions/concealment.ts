import type { TokenRole } from '@overworld/contract/operation';
import { hasRole } from '../../platform/auth/accounts.ts';
import type { Definition, DefinitionKinds } from '../../platform/definitions/definition-kind.ts';
import type { Definitions, Plan } from './compare.ts';

/** Tells whether a member sees definitions whole. */
export const seesAll = (role: TokenRole): boolean => hasRole(role, 'admin');

/** Hides the parts of definitions that only admins see. */
export function concealAll(kinds: DefinitionKinds, all: Definitions): Definitions {
  const concealed = [...all].map(([name, byKey]) => {
    const { concealed: members } = kinds.get(name);
    if (members === undefined) return [name, byKey] as const;
    const conceal = (definition: Definition): Definition =>
      Object.fromEntries(
        Object.entries(definition).map(([member, value]) => [
          member,
          members[member]?.(value) ?? value,
        ]),
      );
    return [name, new Map([...byKey].map(([key, it]) => [key, conceal(it)]))] as const;
  });
  return new Map(concealed);
}

/** Hides the parts of the members that differ which only admins see. */
export function concealChanges(kinds: DefinitionKinds, plan: Plan): Plan {
  const changes = plan.changes.map((change) => {
    const { concealed } = kinds.get(change.kind);
    if (concealed === undefined) return change;
    const fields = change.fields.map((field) => {
      const conceal = concealed[field.path];
      if (conceal === undefined) return field;
      return {
        ...field,
        ...('before' in field && { before: conceal(field.before) }),
        ...('after' in field && { after: conceal(field.after) }),
      };
    });
    return { ...change, fields };
  });
  return { ...plan, changes };
}
