import { contentParts, type ModelMessage } from "../spec/message.ts";
import { ProviderError } from "../spec/provider-error.ts";

/** Throws ProviderError 'invalid' if a message has a file, which the vendor doesn't accept. */
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
