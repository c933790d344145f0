delete globalThis.fetch;
