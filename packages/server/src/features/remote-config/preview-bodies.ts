import type { BodyOf } from '@overworld/contract/operation';
import { previewConfig } from '@overworld/contract/remote-config/dashboard';
import { previewConfigRules } from '@overworld/contract/remote-config/rule-preview';
import { compileBody } from '../../platform/http/validation.ts';
import { MAX_WIDE_NUMBERS, parseExactly } from '../../platform/json/exact-json.ts';
import { readJsonBody } from '../../platform/json/parse-json.ts';
import { requireSoundRules } from './parameters.ts';

const checkPreview = compileBody(previewConfig.body);
const checkRules = compileBody(previewConfigRules.body);

/**
 * Reads the body of a preview of a config, with properties as `parseExactly` reads them.
 * @throws ApiError 400 that names the place of the first mistake.
 */
export function readPreviewBody(bytes: Buffer): BodyOf<typeof previewConfig> {
  const body = readJsonBody(bytes).value as BodyOf<typeof previewConfig>;
  checkPreview(body);
  if (body.properties === undefined) return body;
  const exact = parseExactly(bytes.toString(), MAX_WIDE_NUMBERS) as typeof body;
  return { ...body, properties: exact.properties };
}

/**
 * Reads the body of a preview of rules, with rules as `parseExactly` reads them.
 * @throws ApiError 400 that names the place of the first mistake.
 */
export function readRulesBody(bytes: Buffer): BodyOf<typeof previewConfigRules> {
  const body = readJsonBody(bytes).value as BodyOf<typeof previewConfigRules>;
  checkRules(body);
  requireSoundRules(body.rules, 'rules');
  const { rules } = parseExactly(bytes.toString(), MAX_WIDE_NUMBERS) as typeof body;
  return { ...body, rules };
}
