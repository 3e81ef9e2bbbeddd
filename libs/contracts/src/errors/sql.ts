import type { ErrorDefinition } from "./error-definition.ts";

/**
 * Faults of databases that agents query. None of them names a host, a user or a password: the model
 * and the person read them.
 */
export const sqlErrors = {
  "sql.connection-string-invalid": {
    kind: "SETTING_REFUSED",
    message: "This isn't a valid connection string. Use the form {{form}}.",
  },
  "sql.database-unknown": {
    kind: "SETTING_REFUSED",
    message: 'There\'s no database named "{{name}}".',
  },
  "sql.password-needed": {
    kind: "SETTING_REFUSED",
    message: "Enter the password again: the saved one is only for the saved server.",
  },
  "sql.login-rejected": {
    kind: "PROVIDER_FAILED",
    message: 'The database "{{database}}" rejected the username or password.',
  },
  "sql.database-missing": {
    kind: "PROVIDER_FAILED",
    message: 'The server of "{{database}}" has no such database.',
  },
  "sql.unreachable": {
    kind: "PROVIDER_FAILED",
    message: 'Couldn\'t reach the server of the database "{{database}}"{{cause}}.',
  },
  "sql.encryption-failed": {
    kind: "PROVIDER_FAILED",
    message:
      'Couldn\'t set up an encrypted connection to the database "{{database}}". Check the encryption options of its connection string.',
  },
  "sql.address-refused": {
    kind: "PROVIDER_FAILED",
    message: 'The address of the database "{{database}}" can\'t be used.',
  },
  "sql.busy": {
    kind: "BUSY",
    message: 'The database "{{database}}" has no free connection. Try again later.',
  },
  "sql.not-allowed": {
    kind: "PROVIDER_FAILED",
    message: 'The user of the database "{{database}}" isn\'t allowed to read this.',
  },
  "sql.write-refused": {
    kind: "REFUSED",
    message: "The statement would change something, so the database refused it.",
  },
  "sql.statement-refused": {
    kind: "REFUSED",
    message: "Only a single statement that reads is allowed: {{details}}",
  },
  "sql.statement-invalid": {
    kind: "REFUSED",
    message: "The statement can't be run: {{details}}",
  },
  "sql.timed-out": {
    kind: "TIMEOUT",
    message: "The query took longer than {{seconds}} seconds and was stopped.",
  },
  "sql.failed": {
    kind: "PROVIDER_FAILED",
    message: 'The database "{{database}}" reported an error{{cause}}.',
  },
} as const satisfies Record<string, ErrorDefinition>;
