// The few ONNX messages a model file needs (onnx.proto3 of ONNX 1.17, IR version 9), in protobuf's
// wire format.

const varint = (value: number): Buffer => {
  const bytes: number[] = [];
  let rest = BigInt(value);
  if (rest < 0n) rest += 1n << 64n;
  do {
    const low = Number(rest & 0x7fn);
    rest >>= 7n;
    bytes.push(rest > 0n ? low | 0x80 : low);
  } while (rest > 0n);
  return Buffer.from(bytes);
};
const number = (field: number, value: number): Buffer =>
  Buffer.concat([varint(field << 3), varint(value)]);
const block = (field: number, value: Buffer | string): Buffer => {
  const bytes = typeof value === "string" ? Buffer.from(value) : value;
  return Buffer.concat([varint((field << 3) | 2), varint(bytes.length), bytes]);
};
const float = (field: number, value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return Buffer.concat([varint((field << 3) | 5), bytes]);
};

const elementTypes = { float: 1, int64: 7 } as const;
type ElementType = keyof typeof elementTypes;

export interface Attributes {
  [name: string]: number | { float: number } | number[];
}

function attribute(name: string, value: Attributes[string]): Buffer {
  if (Array.isArray(value))
    return Buffer.concat([block(1, name), ...value.map((item) => number(8, item)), number(20, 7)]);
  return typeof value === "number"
    ? Buffer.concat([block(1, name), number(3, value), number(20, 2)])
    : Buffer.concat([block(1, name), float(2, value.float), number(20, 1)]);
}

/** Collects nodes and weights and writes the model's bytes. */
export class OnnxWriter {
  private readonly nodes: Buffer[] = [];
  private readonly weights: Buffer[] = [];
  private readonly ports: Buffer[] = [];
  private names = 0;

  /** Adds a node and returns the name of its output. */
  node(
    kind: string,
    inputs: string[],
    attributes: Attributes = {},
    output = `v${this.names++}`,
  ): string {
    this.nodes.push(
      block(
        1,
        Buffer.concat([
          ...inputs.map((input) => block(1, input)),
          block(2, output),
          block(3, `n${this.nodes.length}`),
          block(4, kind),
          ...Object.entries(attributes).map(([name, value]) => block(5, attribute(name, value))),
        ]),
      ),
    );
    return output;
  }

  tensor(dims: number[], data: Float32Array | BigInt64Array): string {
    const name = `w${this.names++}`;
    const type: ElementType = data instanceof Float32Array ? "float" : "int64";
    this.weights.push(
      block(
        5,
        Buffer.concat([
          ...dims.map((dim) => number(1, dim)),
          number(2, elementTypes[type]),
          block(8, name),
          block(9, Buffer.from(data.buffer, data.byteOffset, data.byteLength)),
        ]),
      ),
    );
    return name;
  }

  scalar(value: number): string {
    return this.tensor([], Float32Array.of(value));
  }
  ints(...values: number[]): string {
    return this.tensor([values.length], BigInt64Array.from(values, BigInt));
  }
  int(value: number): string {
    return this.tensor([], BigInt64Array.of(BigInt(value)));
  }

  port(
    direction: "input" | "output",
    name: string,
    type: ElementType,
    dims: (number | string)[],
  ): void {
    const shape = Buffer.concat(
      dims.map((dim) => block(1, typeof dim === "number" ? number(1, dim) : block(2, dim))),
    );
    const tensorType = Buffer.concat([number(1, elementTypes[type]), block(2, shape)]);
    this.ports.push(
      block(
        direction === "input" ? 11 : 12,
        Buffer.concat([block(1, name), block(2, block(1, tensorType))]),
      ),
    );
  }

  bytes(): Buffer {
    const graph = Buffer.concat([
      ...this.nodes,
      block(2, "random"),
      ...this.weights,
      ...this.ports,
    ]);
    return Buffer.concat([
      number(1, 9),
      block(2, "carrel tests"),
      block(7, graph),
      block(8, Buffer.concat([block(1, ""), number(2, 17)])),
    ]);
  }
}
