/** Packs and installs the package into a folder of its own, which is returned. */
export function installPackage(): Promise<string>;
