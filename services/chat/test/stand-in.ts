import type { Operation } from "@carrel/contracts";
import { defineService, type ServiceDefinition } from "@carrel/runtime";
import { Module, type Type } from "@nestjs/common";
import { FIXTURE, type Fixture } from "./fixture.ts";

/** A service that replies from the fixture. */
export function standIn(
  name: "workspace" | "ingest" | "auth",
  controller: Type,
  operations: Operation[],
  fixture: Fixture,
): ServiceDefinition {
  class StandInModule {}
  Module({ controllers: [controller], providers: [{ provide: FIXTURE, useValue: fixture }] })(
    StandInModule,
  );
  return defineService({
    name,
    module: StandInModule,
    contracts: { operations, jobs: [], events: [] },
  });
}
