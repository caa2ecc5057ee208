// Node's http and https. An `import` of node:http reads every export, among them getters that load all of fetch: about
// 20 ms of CPU for each process that starts. Asked for this way, nothing is loaded that is not used.

export const http = process.getBuiltinModule('node:http');
export const https = process.getBuiltinModule('node:https');
