// Runs on any Node: says which one is needed before anything newer is loaded.

export function requireNode(name) {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 16)) return;
  process.stderr.write(`${name} needs Node 22.16 or newer; this is Node ${process.versions.node}.\n`);
  process.exit(1);
}
