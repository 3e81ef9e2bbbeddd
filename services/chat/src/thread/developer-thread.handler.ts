import { randomUUID } from "node:crypto";
import { Controller } from "@nestjs/common";
import {
  CarrelError,
  clipText,
  createNamedThread,
  findThreadOwner,
  listAllThreads,
  type In,
  type Out,
} from "@carrel/contracts";
import { Handle, keyed, type RequestContext } from "@carrel/messaging";
import slugify from "slugify";
import { DataSource, QueryFailedError } from "typeorm";
import { hasNullCharacter, stripNullCharacters } from "../database/null-character.ts";
import { inWorkspace } from "../workspace-scope.ts";
import { AllThreadsRepository } from "./all-threads.repository.ts";
import { threadNotFound } from "./resolve-thread.ts";
import { ThreadChanges } from "./thread-changes.ts";
import { defaultThreadName } from "./thread.entity.ts";
import { mapThread } from "./thread.mapper.ts";
import { ThreadRepository } from "./thread.repository.ts";

// The package is CommonJS with a `default` property; under NodeNext its types describe the module
// object.
const convert = slugify as unknown as typeof slugify.default;
const uniqueViolation = "23505";

/** Threads of all owners, for the developer API. */
@Controller()
export class DeveloperThreadHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly threads: ThreadRepository,
    private readonly allThreads: AllThreadsRepository,
    private readonly changes: ThreadChanges,
  ) {}

  @Handle(createNamedThread)
  async create(
    input: In<typeof createNamedThread>,
    ctx: RequestContext,
  ): Promise<Out<typeof createNamedThread>> {
    const scope = inWorkspace(ctx.scope);
    const slug = readSlug(input.wantedSlug ?? "");
    const name = clipText(stripNullCharacters(input.name ?? "").trim(), 255);
    const naming =
      name === ""
        ? { name: defaultThreadName, namedBy: null }
        : { name, namedBy: "person" as const };
    try {
      const made = await keyed(this.dataSource, ctx, async (manager) => ({
        thread: mapThread(await this.threads.create(manager, scope, naming, slug)),
      }));
      this.changes.announce(scope, "created", [made.thread.slug]);
      return made;
    } catch (error) {
      if (isTaken(error)) throw new CarrelError("thread.slug-taken", { slug });
      throw error;
    }
  }

  @Handle(findThreadOwner)
  async findOwner(
    { threadSlug }: In<typeof findThreadOwner>,
    ctx: RequestContext,
  ): Promise<Out<typeof findThreadOwner>> {
    const thread = hasNullCharacter(threadSlug)
      ? null
      : await this.allThreads.find(inWorkspace(ctx.scope), threadSlug);
    if (thread === null) throw threadNotFound();
    return { userId: thread.userId };
  }

  @Handle(listAllThreads)
  listAll(
    { after }: In<typeof listAllThreads>,
    ctx: RequestContext,
  ): Promise<Out<typeof listAllThreads>> {
    return this.allThreads.page(ctx.scope.workspace?.id ?? null, after);
  }
}

/** A slug as clients want it; a UUID if nothing of it can be part of one. */
function readSlug(wanted: string): string {
  const slug = convert(wanted, { strict: true }).slice(0, 200);
  // The default thread's name in routes.
  if (slug === "default") throw new CarrelError("thread.slug-taken", { slug });
  return slug === "" ? randomUUID() : slug;
}

const isTaken = (error: unknown): boolean =>
  error instanceof QueryFailedError &&
  (error.driverError as { code?: string }).code === uniqueViolation;
