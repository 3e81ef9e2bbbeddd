import { ModelBreakers } from "@carrel/providers";
import { Injectable } from "@nestjs/common";
import type { Answerer } from "./answerer.ts";
import { FallbackAnswerer, type Candidate, type Failure } from "./fallback-answerer.ts";
import { FallbackEvents } from "./fallback-events.ts";

/** Puts models in a row that is asked from its start. */
@Injectable()
export class FallbackAnswerers {
  constructor(
    private readonly breakers: ModelBreakers,
    private readonly events: FallbackEvents,
  ) {}

  /** Parameters as of `FallbackAnswerer`; `version` is that of the settings. */
  create(
    candidates: readonly Omit<Candidate, "breaker">[],
    failure: Failure | null,
    version: number,
  ): Answerer {
    return new FallbackAnswerer(
      candidates.map((candidate) => ({
        ...candidate,
        breaker: this.breakers.find(candidate.answerer, version),
      })),
      failure,
      (...fallback) => void this.events.record(...fallback),
    );
  }
}
