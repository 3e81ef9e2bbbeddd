import { realpathSync } from "node:fs";
import path from "node:path";
import { CarrelError } from "@carrel/contracts";
import { SecretBox, SecretUnreadableError } from "@carrel/database";
import { createContentClient, type ContentClient } from "@carrel/egress";
import { CONFIG } from "@carrel/runtime";
import { Inject, Injectable, type OnModuleDestroy } from "@nestjs/common";
import type { z } from "zod";
import type { Connection } from "../connection/connection.entity.ts";
import type { Connector, Source, SourceContext } from "../connector/connector.ts";
import { PageRenderer } from "../connector/page-renderer.ts";
import type { ConnectorsConfig } from "../connectors.config.ts";
import { ConnectorRegistry } from "../registry/connector-registry.ts";

/** Settings and credential of a source, as its connector understands them. */
export interface SourceAccess {
  connector: Connector;
  settings: unknown;
  credential: unknown;
}

@Injectable()
export class SourceOpener implements OnModuleDestroy {
  private readonly content: ContentClient;
  /** Without the intranet's allow-list. */
  private readonly others: ContentClient;
  private readonly renderer: PageRenderer | null;
  private readonly scratch: string;
  private readonly folders: readonly string[];

  constructor(
    @Inject(CONFIG) config: ConnectorsConfig,
    private readonly registry: ConnectorRegistry,
    private readonly box: SecretBox,
  ) {
    this.content = createContentClient({
      allow: config.CARREL_LINK_ALLOW,
      maxBytes: config.CARREL_LINK_MAX_BYTES,
    });
    this.others = createContentClient({ maxBytes: config.CARREL_LINK_MAX_BYTES });
    this.scratch = path.join(config.CARREL_HOME, "scratch");
    this.folders = config.CARREL_SOURCE_FOLDERS;
    refuseOwnFolder(this.folders, config.CARREL_HOME);
    const program = config.CARREL_CRAWL_BROWSER;
    this.renderer = program === undefined ? null : new PageRenderer(program);
  }

  async onModuleDestroy(): Promise<void> {
    await this.renderer?.close();
  }

  /** Throws `source.setting-invalid` with the field's name. */
  read(id: string, settings: unknown, credential: unknown): SourceAccess {
    const connector = this.registry.get(id);
    return {
      connector,
      settings: parse(connector.settings, settings),
      credential: parse(connector.credential, credential ?? {}),
    };
  }

  readStored({
    connector,
    settings,
    sealedCredential,
  }: Pick<Connection, "connector" | "settings" | "sealedCredential">): SourceAccess {
    return this.read(connector, settings, this.readCredential(sealedCredential));
  }

  /** null if an upgrade no longer accepts the settings. */
  originOf({ connector, settings }: Pick<Connection, "connector" | "settings">): string | null {
    const { settings: schema, originOf } = this.registry.get(connector);
    const parsed = schema.safeParse(settings);
    return parsed.success ? originOf(parsed.data) : null;
  }

  open({ connector, settings, credential }: SourceAccess, signal: AbortSignal): Promise<Source> {
    return connector.open(settings, credential, this.contextOf(signal));
  }

  private contextOf(signal: AbortSignal): SourceContext {
    const { content, others, renderer, scratch, folders } = this;
    return {
      content,
      others,
      signal,
      scratch,
      folders,
      ...(renderer !== null && {
        render: (page) => renderer.render(page, { own: content, others }, signal),
      }),
    };
  }

  /** Empty if the connector can't list them. */
  async choices(
    { connector, settings, credential }: SourceAccess,
    field: string,
    signal: AbortSignal,
  ): Promise<string[]> {
    return (await connector.choices?.(field, settings, credential, this.contextOf(signal))) ?? [];
  }

  seal(credential: unknown): string | null {
    return credential === undefined || credential === null
      ? null
      : this.box.seal(JSON.stringify(credential));
  }

  readCredential(sealed: string | null): unknown {
    if (sealed === "") throw new CarrelError("source.credential-deleted");
    try {
      return sealed === null ? undefined : JSON.parse(this.box.open(sealed));
    } catch (error) {
      if (!(error instanceof SecretUnreadableError)) throw error;
      throw new CarrelError("source.credential-unreadable", {}, { cause: error });
    }
  }
}

/** Whoever may add sources must not read the instance's key and everybody's documents. */
function refuseOwnFolder(folders: readonly string[], home: string): void {
  const own = path.join(resolveLinks(home), "/");
  for (const folder of folders) {
    const place = path.join(resolveLinks(folder), "/");
    if (!own.startsWith(place) && !place.startsWith(own)) continue;
    const relation = own.startsWith(place) ? "contains" : "is part of";
    throw new Error(
      `CARREL_SOURCE_FOLDERS: ${folder} ${relation} Carrel's own data, ${home}. Allow other folders.`,
    );
  }
}

/** What doesn't exist yet may be created below a link. */
function resolveLinks(place: string): string {
  const whole = path.resolve(place);
  try {
    return realpathSync(whole);
  } catch {
    const parent = path.dirname(whole);
    return parent === whole ? whole : path.join(resolveLinks(parent), path.basename(whole));
  }
}

function parse(schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const field = parsed.error.issues[0]?.path.join(".") ?? "";
  throw new CarrelError("source.setting-invalid", { field });
}
