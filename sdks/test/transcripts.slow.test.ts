import { engines } from './engines.ts';
import { testTranscripts } from './play-transcripts.ts';
import { bundledTypescript } from './typescript-bundle.ts';

for (const engine of [bundledTypescript, ...engines]) testTranscripts(engine);
