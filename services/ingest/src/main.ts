import { runService } from '@carrel/runtime';
import { ingestService } from './index.ts';

await runService(ingestService);
