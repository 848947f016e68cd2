import { t } from '@overworld/contract/schema';
import { compileBody } from '../http/validation.ts';

/** Checks the name in a key as routes check new names. @throws ApiError 400. */
export const checkName = compileBody(t.NewName('Name of the thing.'), 'The name in key');
