import { describe, expect, it } from "@jest/globals";
import { isPrivateAddress } from "./private-address.ts";

describe("private addresses", () => {
  it.each([
    "http://localhost:11434",
    "http://127.0.0.1:1234/v1",
    "http://ollama:11434",
    "http://10.1.2.3",
    "http://172.31.0.1",
    "https://192.168.1.5/v1",
    "http://100.64.0.1",
    "http://[::1]:8080",
    "http://[fd00::1]",
    "http://box.local",
    "postgresql://carrel:secret@10.0.0.5:5432/vectors",
    "http://host.docker.internal:1234",
  ])("%s stays in the network", (address) => expect(isPrivateAddress(address)).toBe(true));
  it.each([
    "https://api.example.com/v1",
    "http://8.8.8.8",
    "http://172.32.0.1",
    "http://100.128.0.1",
    "http://[2001:db8::1]",
    "http://[fd::1]",
    "postgresql://carrel@db.example.com:5432/vectors",
    "https://localhost.example.com",
    "not an address",
    "",
  ])("%s doesn't", (address) => expect(isPrivateAddress(address)).toBe(false));
});
