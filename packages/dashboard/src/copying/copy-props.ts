import type { Environment } from '@overworld/contract/common';
import type { ENVIRONMENT_KINDS } from '@overworld/contract/definitions/environments';

/** A kind of which each environment has definitions of its own. */
export type CopiedKind = (typeof ENVIRONMENT_KINDS)[number];

/** The properties that all steps of a copy have. */
export interface CopyProps {
  kind: CopiedKind;
  from: Environment;
  to: Environment;
  onClose: () => void;
}
