// Loaded before a server's own code (`node --import`): tells what the process has used, when it is asked over IPC.
process.on('message', (message) => {
  if (message !== 'usage') return
  const { user, system } = process.cpuUsage()
  process.send?.({ cpuUs: user + system, rssBytes: process.memoryUsage.rss() })
})
// Nobody is left to ask, or to end it.
process.on('disconnect', () => process.exit())
// Neither the listener nor the channel keeps a process alive that would end without them.
process.channel?.unref()
