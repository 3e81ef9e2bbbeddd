/** The environment is invalid; `faults` lists every problem so that all can be fixed at once. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  constructor(readonly faults: readonly string[]) {
    super(`The environment is invalid:\n${faults.map((fault) => `  - ${fault}`).join("\n")}`);
  }
}

/** Prints the faults; the caller throws the error. */
export function refused(faults: readonly string[]): ConfigError {
  const error = new ConfigError(faults);
  process.stderr.write(`${error.message}\n`);
  return error;
}
