// Runs inside the sandbox: Node's `zlib` without its streams. The host compresses.
// oxlint-disable-next-line no-unused-expressions -- the value of this file
({ call, toBytes, unusable, Buffer }) => {
  const kinds = [
    "gzip",
    "deflate",
    "deflateRaw",
    "brotliCompress",
    "gunzip",
    "inflate",
    "inflateRaw",
    "unzip",
    "brotliDecompress",
  ];
  const made = {};
  for (const kind of kinds) {
    const sync = (given) => Buffer.from(call("zip", kind, toBytes(given)));
    made[`${kind}Sync`] = sync;
    made[kind] = (given, ...rest) =>
      void Promise.resolve(given)
        .then(sync)
        .then(
          (bytes) => rest.at(-1)(null, bytes),
          (fault) => rest.at(-1)(fault),
        );
    const stream = `create${kind[0].toUpperCase()}${kind.slice(1)}`;
    made[stream] = () => {
      throw unusable(`zlib.${stream}`, ` Use zlib.${kind}Sync.`);
    };
  }
  return made;
};
