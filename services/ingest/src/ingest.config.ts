import { availableParallelism } from "node:os";
import type { InstanceConfig } from "@carrel/config";
import { z } from "zod";

/** Environment variables of this service. */
export const ingestShape = {
  /** Threads that parse and split. */
  CARREL_PARSE_THREADS: z.coerce
    .number()
    .int()
    .min(1)
    .max(64)
    .default(Math.max(1, Math.min(4, availableParallelism()))),
  /**
   * MB of heap that one thread may use; a document that needs more fails alone. A thread is ended
   * 256 MB above, by V8 at most 512 MB above (worker-pool.ts).
   */
  CARREL_PARSE_MEMORY: z.coerce.number().int().min(64).max(16_384).default(768),
  /** The program that reads old Office files (.doc, .ppt), if it is installed. */
  CARREL_LIBREOFFICE: z.string().min(1).default("soffice"),
  /** Time limit for one document, in seconds. */
  CARREL_PARSE_SECONDS: z.coerce.number().int().min(1).max(3600).default(180),
  /** Largest original that is parsed, in MB; larger ones are refused with the reason. */
  CARREL_PARSE_MAX_MB: z.coerce.number().int().min(1).max(4096).default(256),
  /**
   * MB of originals being parsed and of their texts until they are stored; further documents wait,
   * except small ones.
   */
  CARREL_PARSE_BUFFER_MB: z.coerce.number().int().min(1).max(65_536).default(256),
  /**
   * MB of search indexes that LanceDB's searches read in memory; workspaces beyond are searched in
   * files. By default a sixth of the machine's or container's memory, 192 MB to 1 GB.
   */
  CARREL_SEARCH_MEMORY_MB: z.coerce.number().int().min(0).max(65_536).optional(),
  /**
   * How many documents may wait to be parsed; at the limit, further uploads are refused with 503
   * and Retry-After.
   */
  CARREL_INGEST_WAITING: z.coerce.number().int().min(1).max(10_000_000).default(50_000),
  /**
   * Languages of text in pictures and scanned pages, as Tesseract codes: `eng+deu`. Each needs its
   * data: the package @tesseract.js-data/<code>, or <code>.traineddata in the folder `tesseract` of
   * the models folder.
   */
  CARREL_OCR_LANGUAGES: z
    .string()
    .trim()
    .toLowerCase()
    .default("eng")
    .refine((text) => /^[a-z]{3}[a-z_]{0,20}([+,][a-z]{3}[a-z_]{0,20}){0,9}$/.test(text), {
      message: 'must be codes of languages such as "eng" or "eng+deu"',
    })
    .transform((text) => [...new Set(text.split(/[+,]/))]),
  /** Threads for text recognition, separate from parsing. */
  CARREL_OCR_THREADS: z.coerce.number().int().min(1).max(64).default(1),
  /** Maximum pages per document for text recognition; 0 disables it. */
  CARREL_OCR_PAGES: z.coerce.number().int().min(0).max(100_000).default(500),
  /**
   * The reranker for workspaces that ask for one: built-in, a cross-encoder in this process, or the
   * language model.
   */
  CARREL_RERANKER: z.enum(["auto", "built-in", "native", "llm"]).default("auto"),
  /** The native cross-encoder, one of the models that Carrel knows. */
  CARREL_RERANK_MODEL: z.string().trim().min(1).optional(),
} satisfies z.ZodRawShape;

export type IngestConfig = InstanceConfig & Readonly<z.output<z.ZodObject<typeof ingestShape>>>;
