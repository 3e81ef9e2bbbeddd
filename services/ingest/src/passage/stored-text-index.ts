import { servicePrincipal, type WorkspaceScope } from "@carrel/contracts";
import { languageMark } from "@carrel/retrieval";
import {
  inverseDocumentFrequency,
  rescore,
  type TermStatistics,
  type TextHit,
  type TextIndex,
} from "@carrel/vector-store";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { mayRead, readerOf } from "../document/reader.ts";
import { TextRepository } from "../document/text.repository.ts";
import { WorkerPool } from "../work-pool/worker-pool.ts";
import { foldText, foldedSql, makeNeedle } from "./find-words.ts";

const scope = { principal: servicePrincipal, workspace: null };
/** Pieces of text scanned, the newest documents' first: about 65 million characters. */
const maxPieces = 4_000;
/** Limits: chunks come from the best pieces, and only the best chunks are analysed. */
const maxRead = { pieces: 48, chunks: 300 };
/** Terms of a typical chunk. */
const averageLength = 110;
/** Characters from the start of a document used to detect its language. */
const languageSample = 20_000;

/** What a search needs of a full-text index. */
export type SearchableText = Pick<TextIndex, "statistics" | "search">;

interface Piece {
  documentId: string;
  start: number;
  end: number;
  /** Places of the needles it contains, from 0. */
  found: number[];
}
interface StoredChunk {
  id: string;
  documentId: string;
  title: string;
  start: number;
  end: number;
  headingPath: string[];
}

/**
 * Searches the text in PostgreSQL while the full-text index isn't available: reads it from start to
 * end, so it takes time in proportion to the workspace.
 */
@Injectable()
export class StoredTextIndex {
  constructor(
    private readonly dataSource: DataSource,
    private readonly texts: TextRepository,
    private readonly pool: WorkerPool,
  ) {}

  /** For one search. */
  open(workspace: WorkspaceScope): SearchableText {
    let scan: Promise<Scan> | null = null;
    return {
      statistics: async ({ terms }) => {
        // The workspace's languages aren't stored, so the forms of every language are searched.
        if (terms.every((term) => term.startsWith(languageMark)))
          return {
            documentCount: 1,
            frequencies: new Map(terms.map((term) => [term, 1])),
            averageLength,
          };
        scan = this.scan(workspace, terms);
        return (await scan).statistics;
      },
      search: async ({ terms, limit }) => {
        scan ??= this.scan(workspace, terms);
        return this.findChunks(workspace, await scan, terms, limit);
      },
    };
  }

  private async scan(reading: WorkspaceScope, terms: string[]): Promise<Scan> {
    const distinct = [...new Set(terms)];
    const needles = distinct.map(makeNeedle);
    const pieces = await this.dataSource.query<Piece[]>(
      `SELECT p.document_id AS "documentId", p.start, p."end",
        ARRAY(
          SELECT n.place::int - 1 FROM unnest($2::text[]) WITH ORDINALITY AS n(needle, place)
          WHERE strpos(folded.text, n.needle) > 0
        ) AS found
      FROM (
        SELECT t.* FROM ingest.workspace_document w
        JOIN ingest.document_text t ON t.document_id = w.document_id
        WHERE w.workspace_id = $1
          AND w.index_version IS NOT NULL
          AND ${mayRead("w.document_id", "$4::int")}
        ORDER BY w.id DESC, t.start LIMIT $3
      ) p
      CROSS JOIN LATERAL (SELECT ${foldedSql("p.text")} AS text OFFSET 0) folded`,
      [reading.workspace.id, needles, maxPieces, readerOf(reading)],
    );
    const frequencies = new Map<string, number>();
    for (const { found } of pieces)
      for (const place of found)
        frequencies.set(distinct[place]!, (frequencies.get(distinct[place]!) ?? 0) + 1);
    return {
      distinct,
      needles,
      pieces,
      statistics: { documentCount: pieces.length, frequencies, averageLength },
    };
  }

  private async findChunks(
    workspace: WorkspaceScope,
    { distinct, needles, pieces, statistics }: Scan,
    terms: string[],
    limit: number,
  ): Promise<TextHit[]> {
    const asked = new Set(terms);
    const weights = distinct.map((term) =>
      asked.has(term)
        ? inverseDocumentFrequency(statistics.frequencies.get(term) ?? 1, statistics.documentCount)
        : 0,
    );
    const bestPieces = takeBest(
      pieces,
      ({ found }) => found.reduce((sum, place) => sum + weights[place]!, 0),
      maxRead.pieces,
    );
    const chunks = await this.listChunks(workspace, bestPieces);
    const texts = await this.texts.readAll(scope, chunks);
    const bestChunks = takeBest(
      chunks.map((chunk, place) => ({ chunk, text: texts[place]! })),
      ({ text }) => {
        const folded = foldText(text);
        return needles.reduce(
          (sum, needle, place) => sum + (folded.includes(needle) ? weights[place]! : 0),
          0,
        );
      },
      maxRead.chunks,
    );
    return rescore(await this.analyse(bestChunks), terms, statistics).slice(0, limit);
  }

  private listChunks(
    { workspace }: WorkspaceScope,
    pieces: readonly Piece[],
  ): Promise<StoredChunk[]> {
    return this.dataSource.query(
      `SELECT DISTINCT c.id, w.document_id AS "documentId", d.title, c.start, c."end",
        c.heading_path AS "headingPath"
      FROM unnest($2::uuid[], $3::int[], $4::int[]) AS p(document_id, start, "end")
      JOIN ingest.workspace_document w ON w.document_id = p.document_id AND w.workspace_id = $1
      JOIN ingest.document d ON d.id = w.document_id
      JOIN ingest.chunk c ON c.workspace_document_id = w.id
        AND c.version = w.index_version
        AND c.start < p."end"
        AND c."end" > p.start`,
      [
        workspace.id,
        pieces.map(({ documentId }) => documentId),
        pieces.map(({ start }) => start),
        pieces.map(({ end }) => end),
      ],
    );
  }

  /** The chunks with the terms that the index would hold. */
  private async analyse(
    found: { chunk: StoredChunk; text: string }[],
  ): Promise<{ id: string; terms: string[] }[]> {
    const documents = [...Map.groupBy(found, ({ chunk }) => chunk.documentId)];
    const samples = await this.texts.readAll(
      scope,
      documents.map(([documentId]) => ({ documentId, start: 0, end: languageSample })),
    );
    const analysed = await Promise.all(
      documents.map(async ([, own], place) => {
        const terms = await this.pool.terms({
          title: own[0]!.chunk.title,
          sample: samples[place]!,
          pieces: own.map(({ chunk, text }) => ({ text, headingPath: chunk.headingPath })),
        });
        return own.map(({ chunk }, n) => ({ id: chunk.id, terms: terms[n]!.split(" ") }));
      }),
    );
    return analysed.flat();
  }
}

interface Scan {
  distinct: string[];
  needles: string[];
  pieces: Piece[];
  /** Counted in pieces of text instead of chunks. */
  statistics: TermStatistics;
}

/** The items with the highest scores above 0, best first. */
const takeBest = <T>(items: readonly T[], scoreOf: (item: T) => number, limit: number): T[] =>
  items
    .map((item) => ({ item, score: scoreOf(item) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ item }) => item);
