const known =
  /^(accept|content-type|authorization|x-api-key|anthropic-(version|beta)|user-agent|idempotency-key|x-stainless-.+)$/;

/**
 * Lets through only the headers that the vendors' protocols need, and `own` with their values as
 * given. The SDKs add what
 * OPENAI_CUSTOM_HEADERS, ANTHROPIC_CUSTOM_HEADERS and OLLAMA_API_KEY say, and have no option
 * against it; here the settings
 * alone decide what is sent. A null leaves the header out.
 */
export function withOwnHeaders(
  send: typeof fetch,
  own: Readonly<Record<string, string | null>>,
): typeof fetch {
  return (input, init) => {
    const headers = new Headers(init?.headers);
    for (const name of [...headers.keys()]) if (!known.test(name)) headers.delete(name);
    for (const [name, value] of Object.entries(own)) {
      if (value === null) headers.delete(name);
      else headers.set(name, value);
    }
    return send(input, { ...init, headers });
  };
}
