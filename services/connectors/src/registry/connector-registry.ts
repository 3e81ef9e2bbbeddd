import { CarrelError, type ConnectorField, type ConnectorWire } from "@carrel/contracts";
import type { Language } from "@carrel/contracts/languages";
import { CONFIG } from "@carrel/runtime";
import { translateForm } from "@carrel/texts";
import { Inject, Injectable, Module, type OnModuleInit } from "@nestjs/common";
import type { Connector } from "../connector/connector.ts";
import type { ConnectorsConfig } from "../connectors.config.ts";
import { loadConnectors } from "./load-connectors.ts";

/** Every connector, found by its folder. */
@Injectable()
export class ConnectorRegistry implements OnModuleInit {
  private byId: ReadonlyMap<string, Connector> = new Map();

  constructor(@Inject(CONFIG) private readonly config: ConnectorsConfig) {}

  async onModuleInit(): Promise<void> {
    const connectors = await loadConnectors();
    this.byId = new Map(connectors.map((connector) => [connector.id, connector]));
    if (this.byId.size < connectors.length) throw new Error("two connectors have the same id");
  }

  /** Throws `source.connector-unknown`. */
  get(id: string): Connector {
    const connector = this.byId.get(id);
    if (connector === undefined) throw new CarrelError("source.connector-unknown");
    return connector;
  }

  /** The ids of those that tell of changes as they happen, here. */
  listWatchable(): string[] {
    const hasFolders = this.config.CARREL_SOURCE_FOLDERS.length > 0;
    return [...this.byId.values()].flatMap(({ id, watch, needsFolders }) =>
      watch === undefined || (needsFolders && !hasFolders) ? [] : [id],
    );
  }

  /** Those that people can choose, with their forms in a language. */
  listForms(language: Language | undefined): ConnectorWire[] {
    const hasFolders = this.config.CARREL_SOURCE_FOLDERS.length > 0;
    return [...this.byId.values()].flatMap(({ id, form, needsFolders }) =>
      form === null || (needsFolders && !hasFolders) ? [] : [translate({ id, ...form }, language)],
    );
  }
}

function translate(form: ConnectorWire, language: Language | undefined): ConnectorWire {
  const say = (text: string): string => translateForm(text, language);
  const inLanguage = (field: ConnectorField): ConnectorField => ({
    ...field,
    label: say(field.label),
    ...(field.help !== undefined && { help: say(field.help) }),
    ...(field.options !== undefined && {
      options: field.options.map(({ value, label }) => ({ value, label: say(label) })),
    }),
  });
  return {
    ...form,
    label: say(form.label),
    description: say(form.description),
    fields: form.fields.map(inLanguage),
    credentialFields: form.credentialFields.map(inLanguage),
  };
}

@Module({ providers: [ConnectorRegistry], exports: [ConnectorRegistry] })
export class RegistryModule {}
