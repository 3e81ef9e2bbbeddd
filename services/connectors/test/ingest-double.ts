import { randomUUID } from "node:crypto";
import {
  CarrelError,
  documentChecked,
  documentsGone,
  listHiddenDocuments,
  purgeDocuments,
  registerDocument,
  reviseDocument,
  setDocumentAccess,
  type In,
  type Out,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import type { ServiceDefinition } from "@carrel/runtime";
import { Controller, Module } from "@nestjs/common";

export interface Registration {
  input: In<typeof registerDocument>;
  context: RequestContext;
}

export interface IngestRecord {
  registrations: Registration[];
  /** Documents that got new content, in order. */
  revised: string[];
  /** Ids of deleted documents. */
  purged: string[];
  /** Ids of documents that are kept although their source no longer has them. */
  gone: Set<string>;
  /** Ids of all documents that were ever registered. */
  documents: Set<string>;
  /** Hash of the content that each document has; tests take it away. */
  contents: Map<string, string>;
}

/** Called with the readers that documents are to get. */
export interface BeforeAccess {
  call: ((readers: number[] | null) => Promise<void> | undefined) | null;
}

/**
 * Stands in for ingest: records registrations, new contents and deletions, and repeats its reply
 * for a repeated key.
 */
export function ingestDouble(
  { registrations, revised, purged, gone, documents, contents }: IngestRecord,
  refusal: { fault: CarrelError | null; lost?: CarrelError | null },
  readers: Map<string, number[] | null>,
  beforeAccess: BeforeAccess,
): ServiceDefinition {
  const answers = new Map<string, Out<typeof registerDocument>>();
  @Controller()
  class IngestDouble {
    @Handle(registerDocument)
    register(
      input: In<typeof registerDocument>,
      context: RequestContext,
    ): Promise<Out<typeof registerDocument>> {
      if (refusal.fault !== null) return Promise.reject(refusal.fault);
      registrations.push({ input, context });
      const answer = answers.get(context.idempotencyKey) ?? {
        documentId: randomUUID(),
        title: input.metadata.title ?? "",
        sha256: input.sha256,
      };
      answers.set(context.idempotencyKey, answer);
      if (!documents.has(answer.documentId)) {
        contents.set(answer.documentId, input.sha256);
        readers.set(answer.documentId, input.access?.readers ?? null);
      }
      documents.add(answer.documentId);
      return refusal.lost ? Promise.reject(refusal.lost) : Promise.resolve(answer);
    }

    @Handle(reviseDocument)
    revise({ documentId, sha256 }: In<typeof reviseDocument>): Promise<Out<typeof reviseDocument>> {
      if (refusal.fault !== null) return Promise.reject(refusal.fault);
      if (purged.includes(documentId) || !documents.has(documentId))
        return Promise.reject(new CarrelError("document.not-found"));
      gone.delete(documentId);
      if (contents.get(documentId) === sha256) return Promise.resolve({ state: "unchanged" });
      contents.set(documentId, sha256);
      revised.push(documentId);
      return Promise.resolve({ state: "revising" });
    }

    @Handle(documentChecked)
    noteChecked({ documentId }: In<typeof documentChecked>): Promise<Out<typeof documentChecked>> {
      gone.delete(documentId);
      return Promise.resolve({});
    }

    @Handle(documentsGone)
    noteGone({ documentIds }: In<typeof documentsGone>): Promise<Out<typeof documentsGone>> {
      for (const id of documentIds) gone.add(id);
      return Promise.resolve({});
    }

    @Handle(setDocumentAccess)
    async set(input: In<typeof setDocumentAccess>): Promise<Out<typeof setDocumentAccess>> {
      await beforeAccess.call?.(input.readers);
      for (const id of input.documentIds) readers.set(id, input.readers);
      return { changed: input.documentIds.length };
    }

    @Handle(listHiddenDocuments)
    hidden(
      { documentIds }: In<typeof listHiddenDocuments>,
      { scope: { principal } }: RequestContext,
    ): Promise<Out<typeof listHiddenDocuments>> {
      const isHidden = (id: string): boolean =>
        readers.get(id)?.includes(principal.userId ?? 0) === false;
      return Promise.resolve({ hidden: documentIds.filter(isHidden) });
    }

    @Handle(purgeDocuments)
    purge({ selection }: In<typeof purgeDocuments>): Promise<Out<typeof purgeDocuments>> {
      if (!("documentIds" in selection)) throw new Error("only ids are expected");
      purged.push(...selection.documentIds);
      return Promise.resolve({ affected: selection.documentIds.length, skipped: 0 });
    }
  }
  class IngestDoubleModule {}
  Module({ controllers: [IngestDouble] })(IngestDoubleModule);
  return {
    name: "ingest",
    module: IngestDoubleModule,
    contracts: {
      operations: [
        registerDocument,
        reviseDocument,
        documentChecked,
        purgeDocuments,
        setDocumentAccess,
        listHiddenDocuments,
        documentsGone,
      ],
      jobs: [],
      events: [],
    },
  };
}
