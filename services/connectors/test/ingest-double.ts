import { randomUUID } from "node:crypto";
import {
  CarrelError,
  purgeDocuments,
  registerDocument,
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

/**
 * Stands in for ingest: records registrations and deletions, and repeats its reply for a repeated
 * key.
 */
export function ingestDouble(
  registrations: Registration[],
  purged: string[],
  documents: Set<string>,
  refusal: { fault: CarrelError | null },
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
      };
      answers.set(context.idempotencyKey, answer);
      documents.add(answer.documentId);
      return Promise.resolve(answer);
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
    contracts: { operations: [registerDocument, purgeDocuments], jobs: [], events: [] },
  };
}
