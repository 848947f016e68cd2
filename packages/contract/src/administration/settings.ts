import { Type } from 'typebox';
import type { Static } from 'typebox';
import { errorAnswer, Resource } from '../common.ts';
import { defineOperation } from '../operation.ts';

const group = 'Administration';

/** Whom an installation asks for a second factor. */
export const SECOND_FACTOR_REQUIREMENTS = ['off', 'administrators', 'everybody'] as const;
export type SecondFactorRequirement = (typeof SECOND_FACTOR_REQUIREMENTS)[number];

const InstallationSettings = Resource('InstallationSettings', {
  require_second_factor: Type.Enum([...SECOND_FACTOR_REQUIREMENTS], {
    description:
      'Who must have a second factor. An account that lacks it can log in, but all but its own account answers 403 with code SECOND_FACTOR_SETUP_REQUIRED until it has one.',
  }),
});
export type InstallationSettings = Static<typeof InstallationSettings>;
const example = { require_second_factor: 'administrators' };

export const getInstallationSettings = defineOperation({
  id: 'getInstallationSettings',
  method: 'GET',
  path: '/v1/admin/settings',
  access: 'administrator',
  group,
  summary: 'Get the settings of the installation',
  description: 'Those that administrators change while the server runs.',
  answers: { 200: { description: 'The settings.', body: InstallationSettings, example } },
});

export const putInstallationSettings = defineOperation({
  id: 'putInstallationSettings',
  method: 'PUT',
  path: '/v1/admin/settings',
  access: 'administrator',
  group,
  summary: 'Change the settings of the installation',
  description: 'They count from the next request on, on every server.',
  body: InstallationSettings,
  example,
  answers: {
    200: { description: 'The settings.', body: InstallationSettings, example },
    409: errorAnswer(
      'The administrator has no second factor.',
      'Set up a second factor of your own first: you would lock yourself out',
    ),
  },
});
