// Loaded before a server's own code (`node --import`): reports the resources that the process used, over IPC.
process.on('message', (message) => {
  if (message !== 'usage') return
  const { user, system } = process.cpuUsage()
  process.send?.({ cpuUs: user + system, rssBytes: process.memoryUsage.rss() })
})
// The benchmark is gone.
process.on('disconnect', () => process.exit())
// The channel must not keep the process alive.
process.channel?.unref()
