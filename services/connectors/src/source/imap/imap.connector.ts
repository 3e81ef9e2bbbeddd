import { defineConnector, type SourceContext } from "../../connector/connector.ts";
import { ImapConnection } from "./imap-connection.ts";
import {
  imapCredential,
  imapForm,
  imapSettings,
  originOf,
  type ImapCredential,
  type ImapSettings,
} from "./imap-form.ts";
import { imapItem, ImapSource } from "./imap-source.ts";

/** The messages of a mailbox. */
export const connector = defineConnector({
  id: "imap",
  form: imapForm,
  settings: imapSettings,
  credential: imapCredential,
  item: imapItem,
  nameOf: ({ host }) => host,
  originOf,
  choices: (field, settings, credential, context) =>
    field === "folders"
      ? openSource(settings, credential, context).listFolders()
      : Promise.resolve([]),
  open: (settings, credential, context) =>
    Promise.resolve(openSource(settings, credential, context)),
});

const openSource = (
  settings: ImapSettings,
  credential: ImapCredential,
  context: SourceContext,
): ImapSource => new ImapSource(new ImapConnection(settings, credential, context), settings);
