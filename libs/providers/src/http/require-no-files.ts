import { contentParts, type ModelMessage } from "../spec/message.ts";
import { ProviderError } from "../spec/provider-error.ts";

/** Throws ProviderError 'invalid' if a message carries a file: the vendor has no place for it. */
export function requireNoFiles(
  { name }: { name: string },
  messages: readonly ModelMessage[],
): void {
  const hasFile = messages.some(
    ({ role, content }) =>
      role === "user" && contentParts(content).some(({ type }) => type === "file"),
  );
  if (hasFile)
    throw new ProviderError(
      { code: "provider.files-unsupported", params: { vendor: name } },
      { kind: "invalid" },
    );
}
