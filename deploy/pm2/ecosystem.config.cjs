// pm2 start deploy/pm2/ecosystem.config.cjs
// One entry, not cluster mode: `--workers` shares the limits between processes, pm2's own cluster would multiply them.
module.exports = {
  apps: [
    {
      name: 'vai-mcp',
      script: 'vai',
      args: 'mcp-server --transport http --port 3100 --workers 2 --trusted-proxy loopback --allowed-host vai.example.com',
      interpreter: 'none',
      exec_mode: 'fork',
      instances: 1,
      autorestart: true,
      max_memory_restart: '1G',
      kill_timeout: 12000,
      env: { NODE_ENV: 'production' },
    },
  ],
};
