import { godot } from './godot/godot.ts';
import { testTranscripts } from './play-transcripts.ts';
import { typescript } from './typescript.ts';

// `transcripts.slow.test.ts` plays all transcripts with the other SDKs.
testTranscripts(typescript);
testTranscripts(godot, ['events.json']);
