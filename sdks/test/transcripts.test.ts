import { testTranscripts } from './play-transcripts.ts';
import { typescript } from './typescript.ts';

/** `transcripts.slow.test.ts` plays the transcripts with the other SDKs. */
testTranscripts(typescript);
